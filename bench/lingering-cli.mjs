// Answers with the time of its terminal event on the system's monotonic clock, then keeps running for a while.
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ type: "system", subtype: "init", session_id: "5f0c9a52-2c52-4c53-8f2f-0d6c8f7f9b11", mcp_servers: [] });
say({ type: "result", subtype: "success", is_error: false, result: String(process.hrtime.bigint()) });
setTimeout(() => {}, 5000);
