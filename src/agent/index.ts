export { RunError } from "../spec/run-error.ts";
export type { AgentOptions, AgentState } from "./agent-options.ts";
export { type AgentTool, type AnyTool, agentTool, type ToolContext } from "./agent-tool.ts";
export type { Approval, Gate } from "./approval.ts";
export { type Agent, type AgentContext, type AgentResult, type AgentStream, createAgent } from "./create-agent.ts";
export { humanInput } from "./human-input.ts";
export { connectMcp, type McpTools } from "./mcp/connect-mcp.ts";
export { type AgentCall, type Decision, messagesOf, type ThreadEvent } from "./thread.ts";
export { type ChunkCall, type StreamChunk, toStreamChunks } from "./to-stream-chunks.ts";
