import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";

/** A running scripted CLI, as its script sees it. */
export type ScriptedProcess = {
  /** The name by which it was started. */
  readonly program: string;
  readonly args: readonly string[];
  /** The folder of settings that its environment names; empty if none. */
  readonly home: string;
  /** Prints a line. */
  print(...lines: readonly object[]): void;
  /** Prints what was said and exits. */
  exit(code?: number): void;
};

/** The word after an option. */
export function optionOf(args: readonly string[], name: string): string | undefined {
  return args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
}

/** How a script gets its input: whole lines as they come, then the end of stdin. */
export type Script = { line?(line: string): void; end(input: string): void };

/** The scripts of one conversation. */
export type Scripts = (process: ScriptedProcess) => Script;

/** Where the scripted processes of a test file connect to. */
export class ScriptedMachine {
  private readonly server: Server = createServer((socket) => new Connection(socket, this));
  private readonly sockets = new Set<Socket>();
  readonly conversations: Map<string, { readonly folder: string; readonly scripts: Scripts }> = new Map();

  async listen(): Promise<void> {
    this.server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

class Connection {
  private readonly decoder = new StringDecoder("utf8");
  private readonly socket: Socket;
  private readonly machine: ScriptedMachine;
  private text = "";
  private input = "";
  private script: Script | undefined;

  constructor(socket: Socket, machine: ScriptedMachine) {
    this.socket = socket.setNoDelay();
    this.machine = machine;
    // A killed process resets its connection.
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => this.take(this.decoder.write(chunk)));
  }

  private take(text: string): void {
    this.text += text;
    this.script ??= this.begin();
    if (this.script === undefined) return;
    const end = this.text.indexOf("\0");
    const known = end < 0 ? this.text : this.text.slice(0, end);
    const whole = end < 0 ? known.lastIndexOf("\n") + 1 : known.length;
    const lines = known.slice(0, whole);
    this.input += lines;
    this.text = this.text.slice(whole);
    for (const line of lines.split("\n")) if (line !== "") this.script.line?.(line);
    if (end >= 0) this.script.end(this.input);
  }

  /** The words of the start come first: conversation, pid, program, home, the number of arguments, the arguments. */
  private begin(): Script | undefined {
    const words = this.text.split("\0");
    const count = Number(words[4] ?? Number.NaN);
    // The last part is what follows the arguments.
    if (!(words.length >= 5 + count + 1)) return;
    const [conversation = "", pid = "", program = "", home = ""] = words;
    this.text = words.slice(5 + count).join("\0");
    const found = this.machine.conversations.get(conversation);
    if (found === undefined) return void this.socket.destroy();
    return found.scripts(this.processOf({ program, home, args: words.slice(5, 5 + count) }, join(found.folder, pid)));
  }

  private processOf(start: Pick<ScriptedProcess, "program" | "home" | "args">, codeFile: string): ScriptedProcess {
    const { socket } = this;
    return {
      ...start,
      print: (...lines) => void socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
      exit: (code = 0) => {
        if (code !== 0) writeFileSync(codeFile, `${code}\n`);
        socket.end();
      },
    };
  }
}
