import { MANIFEST } from '../schema/manifest.ts';
import type { Shape } from '../schema/shape.ts';
import { WORKSPACE } from '../schema/workspace.ts';
import { readYaml, type YamlDocument, type YamlResult } from '../yaml/document.ts';

const known = ({ properties = {} }: Shape) => ({ isRead: (key: string): boolean => Object.hasOwn(properties, key) });

/** Parses a workspace.yaml. Keys that the format does not have are never read. */
export const readWorkspaceYaml = (text: string): YamlResult<YamlDocument> => readYaml(text, known(WORKSPACE));

/** Parses the manifest of an application. Keys that the format does not have are never read. */
export const readManifestYaml = (text: string): YamlResult<YamlDocument> => readYaml(text, known(MANIFEST));
