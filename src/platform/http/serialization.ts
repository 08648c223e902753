import fastJsonStringify, { type Options } from 'fast-json-stringify';

type Serialize = (value: unknown) => string;

/**
 * Compilers of serialisers, for schemas that may refer to those in `shared`. Each is compiled when it
 * is first used: there are hundreds, most of them for problems, which are not written by them; all
 * together they made a start two seconds longer.
 */
export function buildSerializer(shared: unknown, options?: Options) {
  return ({ schema }: { schema?: unknown }): Serialize => {
    let serialize: Serialize | undefined;
    return (value) => {
      const { $id = '' } = schema as { $id?: string };
      const { [$id]: _, ...others } = shared as Record<string, never>;
      serialize ??= fastJsonStringify(schema as never, { ...options, schema: others });
      return serialize(value);
    };
  };
}
