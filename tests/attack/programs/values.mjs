// Programs whose lines are JSON with hostile values.
import { answer, deep, print, write } from "./wires.mjs";

const WRONG = [null, true, -1, 1e308, "", "x", [], [null], {}, { type: "x" }];
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
const ODD_TEXTS = ["", " ", "a\nb", "\0", "../../etc/passwd", "--help", "x".repeat(100_000), "\ud800", "__proto__"];

export const values = {
  "deep-json"(wire) {
    print(wire.start());
    write(`{"type":"deep","value":${deep(20_000)}}\n`);
    write(`${"[".repeat(200_000)}\n`);
    print(wire.say("All good."), wire.end("All good."));
  },
  "deep-tool-input": (wire) => printDeep(wire, wire.tool("t1", "DEEP")),
  "deep-tool-output"(wire) {
    print(wire.start(), wire.tool("t1", {}));
    write(`${JSON.stringify(wire.toolEnd("t1", ["DEEP"])).replace('"DEEP"', deep(20_000))}\n`);
    print(wire.say("All good."), wire.end("All good."));
  },
  "deep-end": (wire) => printDeep(wire, wire.end("All good.", { structured_output: "DEEP", usage: "DEEP", error: "DEEP" })),
  "deep-failure": (wire) => printDeep(wire, { ...wire.fail("It failed."), details: "DEEP" }),
  "deep-question"(wire) {
    print(wire.start());
    for (const levels of [100, 5000, 20_000])
      write(`${JSON.stringify(wire.ask(`r${levels}`, "DEEP")).replace('"DEEP"', deep(levels))}\n`);
    process.stdin.once("data", () => setTimeout(finish, 300, wire));
  },
  "asks-once"(wire) {
    print(wire.start(), wire.ask("r1", { command: "true" }));
    process.stdin.on("data", (chunk) => {
      if (chunk.includes("control_response")) finish(wire);
    });
    setTimeout(finish, 1000, wire);
  },
  "same-keys"(wire) {
    print(wire.start());
    write(
      '{"type":"system","type":"result","subtype":"init","subtype":"success","result":1,"result":"no"}\n'.replace(
        "result",
        "nothing",
      ),
    );
    write(`${JSON.stringify(wire.say("All good.")).replace("{", '{"type":"nothing",')}\n`);
    print(wire.end("All good."));
  },
  "prototype-keys"(wire) {
    print(wire.start());
    for (const line of [wire.say("a", "m_p"), wire.tool("t_p", {}), wire.toolEnd("t_p", "done"), wire.streamed("a")])
      write(
        `${JSON.stringify(line).replace("{", '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},')}\n`,
      );
    print(wire.say("All good."), wire.end("All good."));
  },
  "prototype-names"(wire) {
    print(wire.start());
    for (const name of NAMES) {
      print({ type: name }, { type: "system", subtype: name }, { type: "item.completed", item: { type: name, id: name } });
      print(wire.say("a", name), wire.tool(name, {}, name), wire.toolEnd(name, "done"));
    }
    print(wire.say("All good."), wire.end("All good.", { stop_reason: "constructor" }));
  },
  "prototype-failure": (wire) => print(wire.start(), { ...wire.fail("toString"), subtype: "constructor", error: "__proto__" }),
  "odd-numbers"(wire) {
    print(wire.start(), wire.say("All good."));
    const counts = Object.fromEntries(wire.tokens.map((name, index) => [name, `ODD${index}`]));
    const odd = ["1e999", "-1", "-1e999", "0.5"];
    write(`${JSON.stringify(wire.usage(counts, "ODD0")).replaceAll(/"ODD(\d)"/g, (_, index) => odd[index])}\n`);
  },
  "negative-cost": (wire) => print(wire.start(), wire.say("All good."), wire.end("All good.", { total_cost_usd: -5 })),
  "wrong-types"(wire) {
    for (const line of linesOf(wire)) for (const wrong of withWrongValues(line)) print(wrong);
    answer(wire);
  },
  "wrong-types-at-the-end"(wire) {
    print(wire.start(), wire.say("All good."));
    for (const wrong of withWrongValues({ ...wire.end("All good."), type: "nothing" })) print(wrong);
    const ends = withWrongValues(wire.end("All good.")).filter(({ type }) => type === wire.end("").type);
    print(ends[Number(process.env.ATTACK_CHOICE) % ends.length]);
  },
  "two-ends": (wire) => print(wire.start(), wire.say("All good."), wire.end("All good."), wire.end("No."), wire.fail("No.")),
  "goes-on-after-the-end"(wire) {
    answer(wire);
    for (let number = 0; number < 2000; number += 1)
      print(wire.say(`More ${number}.`, `m${number}`), wire.tool(`t${number}`, {}));
  },
  "end-before-start": (wire) => print(wire.end("All good."), wire.start(), wire.say("All good.")),
  "many-starts"(wire) {
    for (let number = 0; number < 1000; number += 1)
      print(wire.session(`5e9c0f6a-1b7d-4c55-9a51-${String(number).padStart(12, "0")}`));
    answer(wire);
  },
  "same-ids"(wire) {
    print(wire.start());
    for (let number = 0; number < 200; number += 1)
      print(
        wire.say(`Text ${number}.`, "same"),
        wire.tool("same", { number }),
        wire.toolEnd("same", "done"),
        wire.toolEnd("other", "x"),
      );
    print(wire.say("All good."), wire.end("All good."));
  },
  "many-open-tools"(wire) {
    print(wire.start());
    for (let number = 0; number < 20_000; number += 1) print(wire.tool(`t${number}`, {}));
    print(wire.say("All good."), wire.end("All good."));
  },
  "odd-ids"(wire) {
    for (const id of ODD_TEXTS) print(wire.session(id), wire.say("Text.", id), wire.tool(id, {}), wire.toolEnd(id, id));
    print(wire.say("All good."), wire.end("All good."));
  },
  "parents-in-a-circle"(wire) {
    print(wire.start());
    for (const id of ["a", "b", "a"]) print({ ...wire.tool(id, {}), parent_tool_use_id: id === "a" ? "b" : "a" });
    print({ ...wire.say("Text."), parent_tool_use_id: "msg_1" }, wire.say("All good."), wire.end("All good."));
  },
  "odd-questions"(wire) {
    print(wire.start());
    for (const id of [...ODD_TEXTS, ...NAMES, 7, null, {}, "same", "same"])
      print(wire.ask(id, { command: "true" }), wire.ask("r", null, id));
    process.stdin.once("data", () => setTimeout(finish, 300, wire));
  },
  "long-failure"(wire) {
    write(`${"Error: no. ".repeat(500_000)}\n`, 2);
    print(wire.start(), wire.fail("It failed: ".repeat(500_000)));
    process.exit(1);
  },
  "failure-of-many-lines"(wire) {
    write("Error:\n\n\r\r\n at a\n at b\n", 2);
    print(wire.start(), wire.fail("\n\r\n It\r\nfailed \n\u2028 badly.\n"));
  },
  "empty-failure": (wire) => print(wire.start(), wire.fail("")),
  "tells-secrets-on-stderr"() {
    for (const [name, value] of secrets())
      write(`Error: request failed, ${name} is ${value}; header "authorization: Bearer ${value}"\n`, 2);
    process.exit(1);
  },
  "tells-secrets-in-its-failure"(wire) {
    print(
      wire.start(),
      wire.fail(
        `It failed: ${secrets()
          .map(([, value]) => value)
          .join(", ")}`,
      ),
    );
    process.exit(1);
  },
};

function secrets() {
  return Object.entries(process.env).filter(([name]) => process.env.ATTACK_SECRETS.split(" ").includes(name));
}

function finish(wire) {
  print(wire.say("All good."), wire.end("All good."));
  process.exit(0);
}

function printDeep(wire, line) {
  print(wire.start());
  write(`${JSON.stringify(line).replaceAll('"DEEP"', deep(20_000))}\n`);
  print(wire.say("All good."), wire.end("All good."));
}

function linesOf(wire) {
  const { ask = () => ({}) } = wire;
  return [
    wire.start(),
    wire.say("a", "m_w"),
    wire.tool("t_w", {}),
    wire.toolEnd("t_w", "done"),
    wire.streamed("a"),
    ask("r_w", {}),
  ];
}

/** The line with each of its values replaced by each wrong one. */
function withWrongValues(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const inner = withWrongValues(value[key]).map((wrong) => put(value, key, wrong));
    return [...WRONG.map((wrong) => put(value, key, wrong)), ...inner];
  });
}

function put(value, key, wrong) {
  return Array.isArray(value) ? value.with(Number(key), wrong) : { ...value, [key]: wrong };
}
