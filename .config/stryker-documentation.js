/** Which arguments of the schema helpers are prose. */
const prose = { identifier: [0], literalString: [1], identifierList: [0, 1], budget: [0] };

/** Leaves descriptions and examples of schemas alone: changing them changes what is documented, not what is decided. */
const documentation = {
  shouldIgnore(path) {
    const isProse = path.listKey === 'arguments' && prose[path.parent.callee.name]?.includes(path.key);
    return isProse || isDocumentation(path.node) ? 'Documentation' : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'documentation', value: documentation }];

/** A member, or an object that has no others: what is lost with it is documentation alone. */
function isDocumentation(node) {
  if (node.type === 'ObjectProperty') return ['description', 'examples'].includes(node.key.name);
  return (
    node.type === 'ObjectExpression' && node.properties.length > 0 && node.properties.every(isDocumentation)
  );
}
