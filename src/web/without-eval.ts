/**
 * Zod compiles its checks with `new Function` where it may. Our content security policy forbids that, and the mere
 * attempt would be reported. This is zod's own switch, thrown before any schema is loaded and without loading zod.
 */
export function forbidEval(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
