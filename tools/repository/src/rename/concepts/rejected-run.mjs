/** A request whose run cannot start gets a journal that ends it. */
export default {
  identifiers: { stillborn: 'rejectedRun', born: 'createdRun' },
  in: ['services/control-bus/**', 'docs/**', '*.md'],
};
