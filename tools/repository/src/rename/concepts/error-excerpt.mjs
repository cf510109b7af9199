/** The part of an error output that is shown to users, without the paths of the host. */
export default {
  identifiers: { errorTold: 'errorExcerpt', withoutFolders: 'withoutHostPaths', RunFolders: 'HostPaths' },
  files: {
    'libs/tool-gateway/src/told/error-told.ts': 'libs/tool-gateway/src/errors/error-excerpt.ts',
    'libs/tool-gateway/src/told/error-told.spec.ts': 'libs/tool-gateway/src/errors/error-excerpt.spec.ts',
  },
  texts: { "'./error-told.ts'": "'./error-excerpt.ts'" },
};
