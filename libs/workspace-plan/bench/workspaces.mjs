/** The workspaces that the benchmark compiles, as inputs of `compileWorkspace`. */

const manifest = (id, port) => `app_id: ${id}
name: App ${id}
mcp:
  transport: http-sse
  port: ${port}
  path: /mcp
healthchecks:
  mcp:
    path: /mcp/health
    timeout_s: 60
    interval_s: 5
  api:
    path: /api/health
env_contract:
  - USER_ID
  - API_KEY
integrations:
  - key: google
    provider: google
    capability: gmail
    scopes: [gmail.send, gmail.read]
    required: true
lifecycle:
  setup: npm ci
  start: node server.js
  stop: kill 1
start: node server.js
`;

function withApps(workspaceYaml, count) {
  const paths = Array.from({ length: count }, (_, i) => `apps/app${i}/app.runtime.yaml`);
  const entries = paths.map((path, i) => `  - app_id: app${i}\n    config_path: ${path}\n`);
  const manifests = paths.map((path, i) => [path, manifest(`app${i}`, 3000 + i)]);
  return {
    workspaceId: 'bench',
    workspaceYaml: `${workspaceYaml}applications:\n${entries.join('')}`,
    references: { 'AGENTS.md': '# Operator\n\nDraft, review, then post.\n', ...Object.fromEntries(manifests) },
  };
}

/** Six resolved servers, four applications, five allowlisted tools, and two tools from the workspace's own catalog. */
export const typical = withApps(
  `template_id: social_operator
name: Social Operator
agents:
  id: workspace.general
  model: gpt-4o
  role: operator
schema_registry:
  aliases:
    report: schemas.report
mcp_registry:
  allowlist:
    tool_ids:
      - poster.create_post
      - github.search_issues
      - github.create_issue
      - workspace.echo
      - workspace.rank
  servers:
    poster:
      type: remote
      url: "http://localhost:3099/mcp"
      enabled: true
    github:
      type: remote
      url: https://github.example/mcp/
      headers:
        Authorization: "{env:GH_PAT}"
        X-MCP-Toolsets: repos,issues,pull_requests
      timeout_ms: 30000
    snowflake:
      type: local
      command: [uvx, snowflake-labs-mcp, --service-config-file, conf/snow.yaml]
      environment:
        SNOWFLAKE_ACCOUNT: acme-eu
        SNOWFLAKE_PASSWORD: "{env:SNOWFLAKE_PASSWORD}"
    dbt:
      type: local
      command: [uvx, dbt-mcp]
      environment: { DBT_PROJECT_DIR: ./dbt, DISABLE_SEMANTIC_LAYER: "true" }
    exa:
      type: remote
      url: https://mcp.exa.example/mcp
  catalog:
    workspace.echo:
      module_path: tools.echo
      symbol: echo
    workspace.rank:
      module_path: tools.rank
      symbol: rankAll
`,
  4,
);

/**
 * The typical workspace with an invalid value or an unknown key in every part, so that positions have to be looked up.
 */
export const withMistakes = {
  ...typical,
  workspaceYaml: typical.workspaceYaml
    .replace('role: operator', 'roel: operator')
    .replace('type: local', 'tpye: local')
    .replace('poster.create_post', 'poser.create_post')
    .replace('module_path: tools.rank', 'module_path: rank'),
  references: Object.fromEntries(
    Object.entries(typical.references).map(([path, text]) => [path, text.replace('interval_s: 5', 'interval: 5')]),
  ),
};

/** Two hundred servers and a hundred applications. */
export const large = withApps(
  `agents:
  id: workspace.general
  model: gpt-4o
mcp_registry:
  servers:
${Array.from(
  { length: 200 },
  (_, i) => `    server${i}:
      type: remote
      url: https://server${i}.example/mcp
      headers:
        Authorization: "{env:TOKEN_${i}}"
      timeout_ms: 30000
`,
).join('')}`,
  100,
);
