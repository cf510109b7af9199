/** Meanings of error codes, as docs and the API reference quote them. */
export default {
  texts: {
    'the body, a parameter or a header does not have the documented shape':
      'the body, a parameter or a header is invalid',
    'no API key, or one that is unknown or revoked': 'the API key is missing, unknown or revoked',
    'an error of Reins itself': 'an internal error of Reins',
    'an {env:NAME} placeholder of an MCP server has a wrong shape':
      'an {env:NAME} placeholder of an MCP server is malformed',
    'the thinking value is none that is known; the executor keeps its own default':
      'the thinking value is unknown; the executor uses its default',
    'workspace.yaml cannot be read, or a part of it has the wrong shape':
      'workspace.yaml cannot be read, or a part of it is invalid',
    'the instructions of an agent stand in AGENTS.md, not in workspace.yaml':
      'the instructions of an agent belong in AGENTS.md, not in workspace.yaml',
    'an agent names its output schema in two ways': 'an agent specifies its output schema in two ways',
    '`mcp_registry` or one of its parts is missing or is no mapping':
      '`mcp_registry` or one of its parts is missing or is not a mapping',
    'an allowlisted tool id is not `server.tool`, or stands twice':
      'an allowlisted tool id is not `server.tool`, or is listed twice',
    'the manifest of an application is not among the references':
      'the manifest of an application is not in the references',
    'the manifest of an application cannot be read, or a part of it has the wrong shape':
      'the manifest of an application cannot be read, or a part of it is invalid',
    'the manifest of an application names another id than the workspace does':
      'the id in the manifest of an application differs from the id in the workspace',
    'a part of the workspace has the wrong shape': 'a part of the workspace is invalid',
    'a file of the workspace is larger than the compiler admits':
      'a file of the workspace exceeds the size limit of the compiler',
    'a YAML document expands without end, far beyond its size, or is nested too deep':
      'a YAML document expands excessively or is nested too deeply',
    'the bytes of a file of the workspace are not UTF-8': 'a file of the workspace is not UTF-8',
    'a field of the workspace has a value that it does not admit': 'a field of the workspace has an invalid value',
    'a field of an agent is blank or no text': 'a field of an agent is blank or not a string',
    'a schema alias is no pair of texts': 'a schema alias is not a pair of strings',
    'the declaration of an MCP server has the wrong shape': 'the declaration of an MCP server is invalid',
    'an allowlisted tool names a server that is switched off': 'an allowlisted tool names a disabled server',
    'a path of the workspace is absolute or leads out of it':
      'a path of the workspace is absolute or points outside it',
    'the id of an application is empty or no text': 'the id of an application is empty or not a string',
    'a field of an application manifest has a value that it does not admit':
      'a field of an application manifest has an invalid value',
    'an integration of an application is not described completely': 'an integration of an application is incomplete',
    'mcp.port is no whole number from 1 to 65535': 'mcp.port is not an integer from 1 to 65535',
    'a key is not one that the compiler knows; it has no effect': 'a key is unknown to the compiler and has no effect',
    'a value has the wrong type and was read as what it evidently means':
      'a value has the wrong type and was converted to the expected one',
    'a value has no effect where it stands': 'a value has no effect in this place',
    'two keys are the same after trimming; the later one counts':
      'two keys are equal after trimming; the later one is used',
    'a document of an inventory does not have the shape of its kind':
      'a document of an inventory does not match the schema of its kind',
    'a document of an inventory has a kind that there is not': 'a document of an inventory has an unknown kind',
    'two documents of an inventory have the same kind and name, or two nodes of a graph the same id':
      'two documents of an inventory have the same kind and name, or two nodes of a graph have the same id',
    'a document of an inventory names another one that there is not':
      'a document of an inventory references a document that does not exist',
  },
};
