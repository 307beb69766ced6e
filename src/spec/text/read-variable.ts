/** The value of an environment variable; a name such as `constructor`, which every object inherits, is a variable like any other. */
export function readVariable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
