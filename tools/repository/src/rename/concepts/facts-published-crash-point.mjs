/** Facts are published; the crash point after that is named so. */
export default {
  texts: { "'facts.told'": "'facts.published'" },
};
