/**
 * Hides examples of XML from the rules of Redocly: they are text, as OpenAPI has it, and the rule
 * for examples would hold that text to the schema of what it stands for.
 */
const xmlExamples = () => ({
  MediaTypesMap(types) {
    delete types['application/xml']?.examples;
  },
});

// oxlint-disable-next-line import/no-default-export -- that is what Redocly loads
export default () => ({
  id: 'quartet',
  preprocessors: { oas3: { 'xml-examples': xmlExamples } },
});
