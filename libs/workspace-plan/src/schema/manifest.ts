import { CREDENTIAL_SOURCES } from '../plan.ts';
import { MAX_PORT } from './patterns.ts';
import { anything, list, mapping, name, named, type Shape, string } from './shape.ts';

/** The MCP transports of applications, all based on HTTP. */
export const TRANSPORTS: readonly string[] = ['http-sse', 'sse', 'http', 'streamable-http', 'streamable_http'];

const flag = (description: string, fallback: boolean): Shape => ({ type: 'boolean', description, default: fallback });
const seconds = (description: string, fallback: number): Shape => ({
  type: 'number',
  description,
  exclusiveMinimum: 0,
  default: fallback,
});

const WHOAMI = anything('How to query the connected account. Not used by Reins, and not part of the plan.');

const INTEGRATION = mapping('An account that the application uses.', {
  key: name('The name of the account in the application. Default: the provider.'),
  provider: name('The provider of the account, such as `google`.'),
  destination: name('The former name of `provider`.', { deprecated: true }),
  capability: name('What the account is for.'),
  scopes: list('The required permissions.', string('A permission.')),
  required: flag('Whether the application requires the account.', true),
  credential_source: string('The source of the credential.', { enum: CREDENTIAL_SOURCES, default: 'platform' }),
  credentialSource: string('Another spelling of `credential_source`.', { enum: CREDENTIAL_SOURCES }),
  holaboss_user_id_required: flag('Whether calls must carry the id of the user.', false),
  holabossUserIdRequired: { type: 'boolean', description: 'Another spelling of `holaboss_user_id_required`.' },
  whoami: WHOAMI,
});

const HEALTH_CHECK = mapping('How to check that the application is running.', {
  path: string('The path that responds when the application is running.', { default: '/health' }),
  timeout_s: seconds('Time limit for the application to start, in seconds.', 60),
  interval_s: seconds('Seconds between two checks.', 5),
});

/** The shape of an application manifest, `app.runtime.yaml`. */
export const MANIFEST: Shape = mapping(
  'An application of a workspace.',
  {
    app_id: name('The id of the application, the same as in workspace.yaml.'),
    name: anything('A display name.'),
    slug: anything('A name for use in URLs.'),
    description: anything('What the application does.'),
    version: anything('The version of the application.'),
    icon: anything('An icon to display.'),
    category: anything('A category to display.'),
    mcp: mapping(
      'Where the application serves MCP.',
      {
        port: { type: 'integer', description: 'The port.', minimum: 1, maximum: MAX_PORT, examples: [3099] },
        transport: string('The transport.', { default: 'http-sse' }),
        path: string('The path.', { default: '/mcp' }),
        enabled: anything('Not used by Reins.'),
        tools: anything('Not used by Reins.'),
      },
      { required: ['port'] },
    ),
    healthchecks: named(
      'Health checks. Reins uses `mcp` if it exists, otherwise `api`, otherwise the first one.',
      HEALTH_CHECK,
    ),
    env_contract: list('Environment variables that the application requires.', name('A name.'), { uniqueItems: true }),
    start: string('The command that starts the application.'),
    lifecycle: mapping('Commands of the application.', {
      setup: string('Prepares the application, once for each content of its folder.'),
      start: string('Starts the application.'),
      stop: string('Stops the application.'),
    }),
    integration: {
      ...INTEGRATION,
      description: 'Older form of `integrations`, for one account. Cannot be combined with `integrations`.',
    },
    integrations: list('The accounts that the application uses.', INTEGRATION),
    data_schema: anything('Not used by Reins.'),
    build: anything('Not used by Reins.'),
  },
  { required: ['app_id', 'mcp'] },
);
