// Names that read well: accounts, account(id), account.agents, agent.account.
import 'postgraphile';

export const NamesPlugin: GraphileConfig.Plugin = {
  name: 'NamesPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      // Tables and staff functions are one console: no prefix api_staff_.
      _schemaPrefix: () => '',
      // No other id could be meant.
      _attributeName: (previous, _options, details) => orElse(previous, { ...details, skipRowId: true }),
      _allRows(_previous, _options, resource) {
        return this.camelCase(this.pluralize(this._singularizedResourceName(resource)));
      },
      rowByUnique(previous, _options, details) {
        const { unique, resource } = details;
        return unique.isPrimary ? this.camelCase(this._singularizedResourceName(resource)) : orElse(previous, details);
      },
      // account_id leads to the account, slot to the place.
      _singleRelationRaw(previous, _options, details) {
        const { tags, localAttributes, remoteCodec } = relationOf(details);
        if (tags?.fieldName) return orElse(previous, details);
        const [column] = localAttributes;
        return localAttributes.length === 1 && column?.endsWith('_id')
          ? column.slice(0, -'_id'.length)
          : this.tableType(remoteCodec);
      },
      _singleRelationBackwardsRaw(previous, _options, details) {
        const { tags, remoteCodec } = relationOf(details);
        return tags?.foreignFieldName ? orElse(previous, details) : this.tableType(remoteCodec);
      },
      _manyRelationRaw(previous, _options, details) {
        const { tags, remoteCodec } = relationOf(details);
        return tags?.foreignFieldName ? orElse(previous, details) : this.pluralize(this.tableType(remoteCodec));
      },
      // The result of a mutation is named after what it is.
      functionMutationResultFieldName(previous, _options, details) {
        const { codec } = details.resource;
        return codec.attributes ? this.camelCase(this.tableType(codec)) : orElse(previous, details);
      },
    },
  },
};

type RelationDetails = Parameters<GraphileBuild.Inflection['_singleRelationRaw']>[0];

function relationOf({ registry, codec, relationName }: RelationDetails) {
  const relation = registry.pgRelations[codec.name]?.[relationName];
  if (!relation) throw new Error(`there is no relation ${relationName} of ${codec.name}`);
  const { localAttributes, remoteResource, extensions } = relation;
  return {
    localAttributes: localAttributes as readonly string[],
    remoteCodec: remoteResource.codec,
    tags: extensions?.tags,
  };
}

function orElse<D>(previous: ((details: D) => string) | undefined, details: D): string {
  if (!previous) throw new Error('an inflector that this replaces is not there');
  return previous(details);
}
