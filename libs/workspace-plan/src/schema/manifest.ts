import { CREDENTIAL_SOURCES } from '../plan.ts';
import { MAX_PORT } from './patterns.ts';
import { anything, list, mapping, name, named, type Shape, string } from './shape.ts';

/** How an application may serve MCP; all of them are HTTP. */
export const TRANSPORTS: readonly string[] = ['http-sse', 'sse', 'http', 'streamable-http', 'streamable_http'];

const flag = (description: string, fallback: boolean): Shape => ({ type: 'boolean', description, default: fallback });
const seconds = (description: string, fallback: number): Shape => ({
  type: 'number',
  description,
  exclusiveMinimum: 0,
  default: fallback,
});

const WHOAMI = anything('How to ask the provider who is connected. Kept for other tools; a plan does not carry it.');

const INTEGRATION = mapping('An account that the application works with.', {
  key: name('The name under which the application knows it. Default: the provider.'),
  provider: name('The provider of the account, such as `google`.'),
  destination: name('An older name of `provider`.', { deprecated: true }),
  capability: name('What the account is for.'),
  scopes: list('The permissions that are needed.', string('A permission.')),
  required: flag('Whether the application needs it to work.', true),
  credential_source: string('Where the credential comes from.', { enum: CREDENTIAL_SOURCES, default: 'platform' }),
  credentialSource: string('Another spelling of `credential_source`.', { enum: CREDENTIAL_SOURCES }),
  holaboss_user_id_required: flag('Whether calls must carry the id of the user.', false),
  holabossUserIdRequired: { type: 'boolean', description: 'Another spelling of `holaboss_user_id_required`.' },
  whoami: WHOAMI,
});

const HEALTH_CHECK = mapping('How to see that the application is up.', {
  path: string('The path that answers when it is up.', { default: '/health' }),
  timeout_s: seconds('Seconds until the application has to be up.', 60),
  interval_s: seconds('Seconds between two looks.', 5),
});

/** The manifest of an application, `app.runtime.yaml`. */
export const MANIFEST: Shape = mapping(
  'An application of a workspace.',
  {
    app_id: name('The id of the application, the same as in workspace.yaml.'),
    name: anything('A name for people.'),
    slug: anything('A name for addresses.'),
    description: anything('What the application does.'),
    version: anything('The version of the application.'),
    icon: anything('A picture for people.'),
    category: anything('A kind for people.'),
    mcp: mapping(
      'Where the application serves MCP.',
      {
        port: { type: 'integer', description: 'The port.', minimum: 1, maximum: MAX_PORT, examples: [3099] },
        transport: string('The transport.', { default: 'http-sse' }),
        path: string('The path.', { default: '/mcp' }),
        enabled: anything('Used by application management alone.'),
        tools: anything('Used by application management alone.'),
      },
      { required: ['port'] },
    ),
    healthchecks: named('Health checks: `mcp` is used, else `api`, else the first one.', HEALTH_CHECK),
    env_contract: list('Environment variables that the application needs.', name('A name.'), { uniqueItems: true }),
    start: string('The command that starts the application.'),
    lifecycle: mapping('Commands of the application.', {
      setup: string('Makes it ready, once.'),
      start: string('Starts it.'),
      stop: string('Stops it.'),
    }),
    integration: { ...INTEGRATION, description: 'The single account of older manifests; excludes `integrations`.' },
    integrations: list('The accounts that the application works with.', INTEGRATION),
    data_schema: anything('Used by application management alone.'),
    build: anything('Used by application management alone.'),
  },
  { required: ['app_id', 'mcp'] },
);
