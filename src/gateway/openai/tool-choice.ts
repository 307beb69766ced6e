import type { ToolChoice } from "../../spec/message.ts";
import type { RunRequest } from "../../spec/request.ts";
import type { RequestFields } from "./request-fields.ts";
import { type ClientTool, modelName } from "./tools.ts";

/** The fields of a run about the tools of the client: the tools that may be called, and whether one must be. */
export function toolSettings(body: RequestFields, tools: readonly ClientTool[]): Partial<RunRequest> {
  const { choice, allowed } = readChoice(body);
  const offered = tools.map(({ definition }) => definition).filter(({ name }) => allowed?.has(name) ?? true);
  if (offered.length === 0 && (choice === "auto" || choice === "none")) return {};
  // A client of OpenAI gets every call as the model wrote it, and checks the arguments itself.
  return { tools: offered, toolChoice: choice, invalidCalls: "return" };
}

type Choice = { readonly choice: ToolChoice; readonly allowed?: ReadonlySet<string> };

function readChoice(body: RequestFields): Choice {
  const value = body.value("tool_choice") ?? "auto";
  if (value === "auto" || value === "none" || value === "required") return { choice: value };
  if (typeof value === "string")
    throw body.unsupported("tool_choice", "Invalid value for 'tool_choice': use none, auto, required or an object.");
  const fields = body.neededObject("tool_choice");
  const type = fields.neededText("type");
  if (type === "allowed_tools") {
    const rules = fields.object("allowed_tools") ?? fields;
    const choice = rules.neededText("mode") === "required" ? "required" : "auto";
    return { choice, allowed: new Set(rules.objects("tools").map(readName)) };
  }
  return { choice: { name: readName(fields) } };
}

/** Chat Completions has the name in a field that is called as the type. */
function readName(choice: RequestFields): string {
  const type = choice.neededText("type");
  if (type !== "function" && type !== "custom") throw choice.unsupported("type", `Tools of type '${type}' are not supported.`);
  const fields = choice.object(type) ?? choice;
  return modelName(fields.neededText("name"), fields.text("namespace"));
}
