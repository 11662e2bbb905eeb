import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const MINUTE = 60_000

/** Node runs the source directly. Test files of a worker share a process, so modules must not keep state between files. */
const native = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } }

/** Each file starts with its own database and the same clock time. */
const onServer = {
  ...native,
  globalSetup: 'test/engine/setup.ts',
  setupFiles: 'test/engine/reset-clock.ts',
  // Long enough for a busy machine. Normally the expected state is reached at once.
  expect: { poll: { timeout: 15_000 } },
  maxWorkers: 2,
  testTimeout: MINUTE,
  hookTimeout: MINUTE,
}

/** Tests that depend on the PostgreSQL version or the owner's rights. They also run on the oldest supported server. */
const DEPENDS_ON_POSTGRES = [
  'catalogue',
  'migrate',
  'former-migrations',
  'tenancy-sql',
  'explain',
  'rules-sql',
  'rules-folding',
  'row-counts',
  'search',
  'backup',
  'feed-runs',
  'jobs',
]

/** Parts of `npm run prove` that measure time or kill processes, so nothing else may run at the same time. */
const EXCLUSIVE = new Set([
  'kills',
  'takeovers',
  'leads',
  'campaigns',
  'load',
  'noisy-neighbor',
  'outage',
  'hostile',
])
/** The parts of `npm run prove`, one per folder in test/prove, each at most 15 minutes on two cores. */
const proveParts = [
  'kills',
  'takeovers',
  'leads',
  'campaigns',
  'load',
  'noisy-neighbor',
  'outage',
  'hostile',
  'walks',
  'input',
  'visibility',
  'servers',
  'feeds',
  'structure',
  'postgres15',
].map((part) => ({
  extends: true as const,
  test: {
    ...onServer,
    name: `prove-${part}`,
    include:
      part === 'postgres15'
        ? ['test/api/**/*.test.ts', 'test/prove/walks/carbon-totals-walk.prove.ts']
        : [`test/prove/${part}/**/*.prove.ts`],
    maxWorkers: EXCLUSIVE.has(part) ? 1 : 2,
    testTimeout: part === 'postgres15' ? MINUTE : 30 * MINUTE,
    hookTimeout: 5 * MINUTE,
  },
}))

/** The test files of a worker share a browser and a running product. */
const inBrowser = {
  ...native,
  globalSetup: 'e2e/harness/setup.ts',
  expect: { poll: { timeout: 15_000 } },
  maxWorkers: 2,
  testTimeout: 2 * MINUTE,
  hookTimeout: 2 * MINUTE,
}

/** The parts of `npm run prove` that need a browser. Everything except the views is one part, together with the states. */
const proveBrowserParts = ['accessibility', 'links', 'states'].map((part) => ({
  extends: true as const,
  test: {
    ...inBrowser,
    name: `prove-${part}`,
    include: part === 'states' ? ['e2e/prove/**/*.prove.ts'] : [`e2e/prove/${part}*.prove.ts`],
    exclude: part === 'states' ? ['e2e/prove/{accessibility,links}*.prove.ts'] : [],
    testTimeout: 10 * MINUTE,
  },
}))

export default defineConfig({
  plugins: [react()],
  test: {
    tags: [
      {
        name: 'release',
        description: 'Not in `npm test` but in `npm run prove -- journeys`, before a release.',
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          ...native,
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'e2e/harness/*.test.ts',
            'tools/*.test.mjs',
            'test/{architecture,component-styles,sentences}.test.ts',
          ],
          expect: { poll: { timeout: 10_000 } },
          maxWorkers: 2,
          testTimeout: 20_000,
        },
      },
      // Tests that import a component are *.test.tsx, because Node cannot run JSX.
      {
        extends: true,
        test: {
          name: 'unit-web',
          include: ['src/**/*.test.tsx'],
          isolate: false,
          maxWorkers: 2,
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          ...onServer,
          name: 'api',
          include: ['test/api/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...onServer,
          name: 'api-postgres15',
          include: DEPENDS_ON_POSTGRES.map((name) => `test/api/*/${name}.test.ts`),
        },
      },
      {
        extends: true,
        test: {
          ...inBrowser,
          name: 'e2e',
          include: ['e2e/journeys/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: { ...inBrowser, name: 'prove-journeys', include: ['e2e/journeys/**/*.test.ts'] },
      },
      ...proveParts,
      ...proveBrowserParts,
    ],
  },
})
