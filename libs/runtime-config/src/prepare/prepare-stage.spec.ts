import { describe, expect, it } from '@jest/globals';
import { inputOf } from '../testing/inputs.ts';
import { prepareStage } from './prepare-stage.ts';

describe('prepareStage', () => {
  it('makes a host request for a workspace without apps', () => {
    const prepared = prepareStage(inputOf({ stage: 'execute', iteration: 2, instruction: 'Write the file.' }));
    expect(prepared.hostRequest.instruction).toBe('Reins stage: execute\nReins iteration: 2\n\nWrite the file.');
    expect(prepared.hostRequest.model_client).toEqual({
      model_proxy_provider: 'openai_compatible',
      api_key: '{env:OPENAI_API_KEY}',
      base_url: 'https://api.openai.example/v1',
      default_headers: null,
    });
    expect(prepared.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(prepared.hostRequest.run_started_payload.request_snapshot_fingerprint).toBe(prepared.snapshot.fingerprint);
  });
});
