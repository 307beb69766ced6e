import { createFailure } from "../spec/failure/failure.ts";
import { refusalOf } from "../spec/failure/run-error.ts";
import type { RunWarning } from "../spec/result.ts";
import { type Cell, cellsOf, FEATURE_NAMES, FEATURES, type Feature, type Subject } from "./matrix.ts";

/** The features that a constructor is asked for, and what happens if the model does not have one. */
export type CompatibilityOptions = {
  /** The features that are wanted; docs/compatibility.md says what each provider does. */
  readonly features?: Readonly<Partial<Record<Feature, boolean>>>;
  /** `strict` (default): a feature that is refused is an error. `lenient`: it stays off, with a warning. */
  readonly compatibility?: "strict" | "lenient";
};

export const COMPATIBILITY_OPTIONS: readonly (keyof CompatibilityOptions)[] = ["features", "compatibility"];

/**
 * Checks the features that a constructor was asked for. Throws a TypeError for a wrong type or an unknown feature, and a RunError
 * (`option-unsupported`) for one that is refused. A feature that stays off otherwise is one warning. What it is asked of is looked up
 * only if a feature is wanted.
 */
export function checkCompatibility(
  options: CompatibilityOptions,
  findSubject: () => Subject | undefined,
): { readonly warnings: readonly RunWarning[] } {
  const { compatibility = "strict" } = options;
  if (!["strict", "lenient"].includes(compatibility)) throw new TypeError('compatibility must be "strict" or "lenient".');
  const wanted = readFeatures(options.features ?? {});
  const subject = wanted.length === 0 ? undefined : findSubject();
  // A provider that does not exist fails when it is called, with its own message.
  if (subject === undefined) return { warnings: [] };
  const cells = cellsOf(subject);
  const unmet = wanted.map((feature) => ({ feature, cell: cells[feature] })).filter(({ cell }) => !cell.isMet);
  const refused = unmet.filter(({ cell }) => cell.support === "refused");
  if (compatibility === "strict" && refused.length > 0) throw refusal(subject, refused);
  return { warnings: unmet.map(({ feature, cell }) => ({ code: "feature-off", message: messageOf(feature, cell) })) };
}

type Unmet = { readonly feature: Feature; readonly cell: Cell };

function refusal(subject: Subject, refused: readonly Unmet[]): Error {
  const label = subject === "langchain" ? "An agent on a model of LangChain" : subject.label;
  const why = refused.map(({ feature, cell }) => `${FEATURE_NAMES[feature]} (${cell.reason})`).join(", ");
  const names = refused.map(({ feature }) => feature).join(", ");
  const hint = `Remove ${names} from features, or go on without: compatibility: "lenient".`;
  return refusalOf(createFailure("option-unsupported", `${label} does not take ${why}.`, { hint }));
}

function messageOf(feature: Feature, { reason }: Cell): string {
  const name = FEATURE_NAMES[feature];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} has no effect: ${reason}.`;
}

function readFeatures(features: object): readonly Feature[] {
  if (typeof features !== "object" || features === null || Array.isArray(features))
    throw new TypeError("features must be an object, such as { toolSearch: true }.");
  for (const [name, value] of Object.entries(features)) {
    if (!FEATURES.includes(name as Feature))
      throw new TypeError(`There is no feature ${name}. The features are ${FEATURES.join(", ")}.`);
    if (value !== undefined && typeof value !== "boolean") throw new TypeError(`features.${name} must be true or false.`);
  }
  return FEATURES.filter((feature) => (features as Partial<Record<Feature, boolean>>)[feature] === true);
}
