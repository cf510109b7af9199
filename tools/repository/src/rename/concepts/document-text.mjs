/** The XML parser behind the text of office documents. */
export default {
  identifiers: { read: 'parseXml' },
  in: [
    'services/runner-prep/src/attachments/office-text.ts',
    'services/runner-prep/src/attachments/spreadsheet-text.ts',
  ],
};
