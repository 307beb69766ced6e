// Calls a tool of its own with the output OUTPUT; with ERROR the result is an error. Its session line lists the tools of TOOLS.
import { init, print, result } from "../claude-lines.mjs";

const { OUTPUT = "listed", ERROR = "", TOOLS = "" } = process.env;
print({ ...init(), tools: TOOLS === "" ? [] : TOOLS.split(",") });
const call = { type: "tool_use", id: "t1", name: process.env["TOOL"] ?? "Bash", input: { command: "ls" } };
print({ type: "assistant", message: { id: "m1", content: [call] } });
const answer = { type: "tool_result", tool_use_id: "t1", content: OUTPUT, is_error: ERROR !== "" };
print({ type: "user", message: { role: "user", content: [answer] } });
print({ type: "assistant", message: { id: "m2", content: [{ type: "text", text: "Done." }] } });
print(result("Done."));
