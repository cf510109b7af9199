/** Visiting the values that a redaction removes. */
export default {
  in: ['libs/runtime-config/**'],
  identifiers: {
    eachHidden: 'forEachRedaction',
    HiddenAt: 'RedactionKind',
    SeeHidden: 'RedactionVisitor',
    UrlPlace: 'UrlPart',
    HideInUrl: 'UrlPartReplacer',
  },
};
