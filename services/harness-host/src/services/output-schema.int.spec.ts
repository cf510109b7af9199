import { expect, test } from '@jest/globals';
import type { HostRequest } from '@reins/runtime-config';
import { makeRunFolder } from '../executor/run-folder.ts';
import { HostSecrets } from '../secrets/host-secrets.ts';
import { DEFAULT_SETTINGS } from '../testing/host-fixture.ts';
import { withOutputSchema } from './output-schema.ts';
import { ServicesHost } from './services-host.ts';

test('the network of a schema module is closed when its process cannot be started', async () => {
  const closed: string[] = [];
  const host = new ServicesHost({
    ...{ owner: 'test', path: '', environment: {}, setups: DEFAULT_SETTINGS.host },
    secrets: new HostSecrets(DEFAULT_SETTINGS, {}),
    sandbox: { rule: 'required', isolation: { backend: 'none', program: '', lacks: [] }, hidden: [] },
    openNetwork: async (user) => ({ network: undefined, secrets: [], close: () => void closed.push(user) }),
  });
  const folder = await makeRunFolder();
  const request = { output_schema_module: 'schema.mjs', output_format: null } as HostRequest;
  try {
    await expect(withOutputSchema(host, request, folder)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    expect(closed).toEqual(['output schema schema.mjs']);
  } finally {
    await folder.remove();
  }
});
