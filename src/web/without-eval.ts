/**
 * Zod compiles schemas with `new Function` if allowed. Our content security policy forbids that and would report
 * the attempt. This is zod's own switch, set before any schema is loaded and without loading zod.
 */
export function forbidEval(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
