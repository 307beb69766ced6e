/** The JSON Schemas that a CLI or its service takes; Coxswain translates or leaves out the rest and validates the answer itself. */
export type SchemaDialect = {
  /** The keywords that are taken; without a list all of draft 2020-12 are. */
  readonly keywords?: readonly string[];
  /** The values of `format` that are taken; none by default. Only with `keywords`. */
  readonly formats?: readonly string[];
  /** `object`: any other root, and a choice at the root, is wrapped as `{ "value": … }`. */
  readonly root: "object" | "any";
  /** `closed`: objects have only the keys that are named, and all of them; an optional key is `null` instead of absent. Only with `keywords`. */
  readonly objects?: "open" | "closed";
};
