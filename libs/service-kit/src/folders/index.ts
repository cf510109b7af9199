export { makeProcessFolder, removeAbandoned } from './process-folder.ts';
export { identityOf, isGone, type ProcessIdentity } from './process-identity.ts';
export { removeFolder } from './remove-folder.ts';
