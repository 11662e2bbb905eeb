import { toolStep, suiteStep } from './steps.mjs'

/** What every commit must pass. One line adds a step. */
export function quickSteps(node) {
  const types = (room) =>
    toolStep({
      name: `types ${room}`,
      node,
      package: 'typescript',
      bin: 'tsc',
      args: ['-p', `tsconfig.${room}.json`],
    })
  return [
    toolStep({ name: 'lock file', node, args: ['tools/check-lock.mjs'] }),
    toolStep({ name: 'format', node, package: 'oxfmt', args: ['--check'] }),
    toolStep({ name: 'lint', node, package: 'oxlint', args: ['--type-aware', '--deny-warnings'] }),
    types('contract'),
    types('server'),
    types('web'),
    types('tests'),
    toolStep({ name: 'unused code', node, package: 'knip' }),
    toolStep({ name: 'schema types', node, args: ['tools/db-types.ts', '--check'] }),
  ]
}

/** Tests that need neither a browser nor a migrated database. */
export function unitStep(node) {
  return suiteStep({ name: 'unit tests', node, project: 'unit' })
}
