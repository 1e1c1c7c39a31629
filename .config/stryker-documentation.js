/** Which arguments of the schema helpers are prose. */
const prose = { identifier: [0], literalString: [1], identifierList: [0, 1], budget: [0] };

/** Leaves descriptions and examples of schemas alone: changing them changes what is documented, not what is decided. */
const documentation = {
  shouldIgnore(path) {
    if (path.isObjectProperty() && ['description', 'examples'].includes(path.node.key.name))
      return 'Documentation';
    if (path.listKey !== 'arguments') return undefined;
    return prose[path.parent.callee.name]?.includes(path.key) ? 'Documentation' : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'documentation', value: documentation }];
