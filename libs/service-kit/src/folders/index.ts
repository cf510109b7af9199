export { makeProcessFolder, removeAbandonedFolders } from './process-folder.ts';
export { hasProcessEnded, identityOf, type ProcessIdentity } from './process-identity.ts';
export { removeFolder } from './remove-folder.ts';
