import { MAX_PORT } from '../schema/patterns.ts';
import type { ManifestFields } from './manifest-fields.ts';

const DIGITS = /^\s*[0-9]+\s*$/;

/** Reads `mcp.port`. Reports a missing or invalid port and returns undefined. */
export function readPort(mcp: ManifestFields): number | undefined {
  const raw = mcp.raw('port');
  const port = typeof raw === 'string' && DIGITS.test(raw) ? Number(raw) : raw;
  if (typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= MAX_PORT) {
    if (typeof raw === 'string') {
      mcp.report.warn({
        code: 'workspace_value_coerced',
        at: [...mcp.path, 'port'],
        message: `mcp.port is a string and was read as ${port}`,
        specificHint: `write it without quotes: ${port}`,
      });
    }
    return port;
  }
  if (isNotNumeric(raw)) {
    mcp.report.error({
      code: 'app_mcp_port_missing',
      at: [...mcp.path, 'port'],
      message: 'mcp.port is required',
      specificHint: 'set it to the port on which the application serves MCP, for example `port: 3099`',
    });
  } else {
    mcp.strictError(['port'], 'app_mcp_port_invalid', `mcp.port must be a whole number from 1 to ${MAX_PORT}`);
  }
  return undefined;
}

/** Whether the value is missing or cannot be converted to a number. */
function isNotNumeric(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  try {
    return Number.isNaN(Number(value));
  } catch {
    return true; // a mapping with keys such as `toString`
  }
}
