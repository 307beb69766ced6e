export type StandardIssue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

/** The result of a validation: the value that the schema makes of its input, or the problems of the input. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A schema of Zod, Valibot, ArkType or any other library that implements Standard Schema (https://standardschema.dev). */
export type StandardSchema<Output = unknown> = {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate?: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    /** The JSON Schema of the input, if the library can give it (Standard JSON Schema). */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string; readonly libraryOptions?: never }) => Record<string, unknown>;
    };
  };
};

/** A JSON Schema as an object, of any library's type; values that are not JSON are left out. */
export type JsonSchema =
  | { readonly [keyword: string]: unknown }
  | {
      readonly $schema?: unknown;
      readonly $ref?: unknown;
      readonly type?: unknown;
      readonly properties?: unknown;
      readonly anyOf?: unknown;
      readonly description?: unknown;
    };

/** The schema of an answer: a Standard Schema, whose own validation makes the value, or a JSON Schema. */
export type OutputSchema<Output = unknown> = StandardSchema<Output> | JsonSchema;
