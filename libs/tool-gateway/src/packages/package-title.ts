import type { ServerPackage } from '@reins/runtime-config';

/** `npm:name@1.2.3`. */
export const titleOf = ({ registry, name, version }: ServerPackage): string => `${registry}:${name}@${version}`;

/** The name of a registry in messages. */
export const registryTitle = ({ registry }: ServerPackage): string => (registry === 'npm' ? 'npm' : 'PyPI');
