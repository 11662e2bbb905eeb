import { toolStep, suiteStep } from './steps.mjs'

const PART = 'checks'

/**
 * TypeScript and the linter are written in Go and use several threads, which check many types more than once. With one
 * thread each they take less CPU time, and two of them keep two cores busy. Their garbage collector runs less often
 * with this setting, which saves a third of their CPU time and costs a third more memory.
 */
const ONE_THREAD = { GOMAXPROCS: '1', GOGC: '400' }

/** The checks for every commit, longest first. */
export function quickSteps(node) {
  const tool = (options) => toolStep({ part: PART, node, ...options })
  const types = (room) =>
    tool({
      name: `types ${room}`,
      package: 'typescript',
      bin: 'tsc',
      args: ['-p', `tsconfig.${room}.json`, '--checkers', '1'],
      env: ONE_THREAD,
    })
  return [
    tool({
      name: 'lint',
      package: 'oxlint',
      args: ['--type-aware', '--deny-warnings', '--threads=1'],
      env: ONE_THREAD,
    }),
    types('tests'),
    types('server'),
    types('web'),
    types('contract'),
    tool({ name: 'unused code', package: 'knip' }),
    tool({ name: 'schema types', args: ['tools/db-types.ts', '--check'] }),
    tool({ name: 'format', package: 'oxfmt', args: ['--check'] }),
    tool({ name: 'lock file', args: ['tools/check-lock.mjs'] }),
  ]
}

/** Tests that need neither a browser nor a migrated database. */
export function unitStep(node) {
  return suiteStep({ name: 'unit tests', part: 'unit', node, projects: ['unit', 'unit-web'] })
}
