import { EFFORTS, type EffortName } from "../../doors/efforts.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { RunRequest } from "../../spec/request.ts";
import { badField, countAt, type Field, isGiven, objectAt } from "./fields.ts";

type Effort = NonNullable<RunRequest["effort"]>;

/** Anthropic's names of efforts. */
const NAMES: readonly EffortName[] = ["low", "medium", "high", "xhigh", "max"];

/** Whether the client gets the model's thinking, and the effort that a budget of tokens for it means. */
export type ReadThinking = { readonly wantsReasoning: boolean; readonly effort?: Effort };

/** Reads `thinking`. CLIs take an effort instead of a budget: below 4,096 tokens it is low, below 16,384 medium, else high. */
export function readThinking(value: Field): ReadThinking {
  if (!isGiven(value)) return { wantsReasoning: false };
  const thinking = objectAt(value, "thinking");
  const wantsReasoning = thinking["display"] !== "omitted";
  switch (thinking["type"]) {
    case "disabled":
      return { wantsReasoning: false };
    case "enabled": {
      const budget = countAt(thinking["budget_tokens"], "thinking.budget_tokens");
      return { wantsReasoning, effort: budget < 4096 ? "low" : budget < 16_384 ? "medium" : "high" };
    }
    case "adaptive":
    case "between_tools":
      return { wantsReasoning };
    default:
      throw badField("thinking.type", "Input should be 'enabled', 'adaptive', 'between_tools' or 'disabled'");
  }
}

/** Reads the effort and the schema of the answer; `output_format` is the older name of `output_config.format`. */
export function readOutput(body: JsonObject): Pick<RunRequest, "effort" | "outputSchema"> {
  const config = isGiven(body["output_config"]) ? objectAt(body["output_config"], "output_config") : {};
  const { effort, format = body["output_format"] } = config as Readonly<Record<string, Field>>;
  const known = NAMES.find((name) => name === effort);
  if (isGiven(effort) && known === undefined)
    throw badField("output_config.effort", "Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
  return { ...(known !== undefined && { effort: EFFORTS[known] }), ...(isGiven(format) && { outputSchema: schemaOf(format) }) };
}

function schemaOf(value: Field): JsonObject {
  const format = objectAt(value, "output_config.format");
  if (format["type"] !== "json_schema") throw badField("output_config.format.type", "Input should be 'json_schema'");
  return objectAt(format["schema"], "output_config.format.schema");
}
