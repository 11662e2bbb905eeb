import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const MINUTE = 60_000

/** Node runs the code as it is written. The files of a worker share it: nothing may be left behind in a module. */
const native = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } }

/** Each file begins with a database of its own and with the clock at the same instant. */
const onServer = {
  ...native,
  globalSetup: 'test/engine/setup.ts',
  setupFiles: 'test/engine/reset-clock.ts',
  // What is waited for comes at once, but on a machine that does something else as well.
  expect: { poll: { timeout: 15_000 } },
  maxWorkers: 2,
  testTimeout: MINUTE,
  hookTimeout: MINUTE,
}

/** What depends on the version of PostgreSQL or on the rights of the owner: it also runs on the oldest and the weakest. */
const DEPENDS_ON_POSTGRES = [
  'catalogue',
  'migrate',
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

/** The parts of `npm run prove`, each at most 15 minutes on two cores: the folders of test/prove. */
/** What measures or kills has the machine to itself. */
const ALONE = new Set(['kills', 'takeovers', 'load'])
const proveParts = [
  'kills',
  'takeovers',
  'load',
  'walks',
  'input',
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
    maxWorkers: ALONE.has(part) ? 1 : 2,
    testTimeout: part === 'postgres15' ? MINUTE : 30 * MINUTE,
    hookTimeout: 5 * MINUTE,
  },
}))

/** Files of a worker share its browser and the process that serves the product to them. */
const inBrowser = {
  ...native,
  globalSetup: 'e2e/harness/setup.ts',
  expect: { poll: { timeout: 15_000 } },
  maxWorkers: 2,
  testTimeout: 2 * MINUTE,
  hookTimeout: 2 * MINUTE,
}

/** The parts of `npm run prove` that need a browser. What is there besides the views is one part with the states. */
const proveBrowserParts = ['accessibility', 'states'].map((part) => ({
  extends: true as const,
  test: {
    ...inBrowser,
    name: `prove-${part}`,
    include: part === 'accessibility' ? ['e2e/prove/accessibility*.prove.ts'] : ['e2e/prove/**/*.prove.ts'],
    exclude: part === 'accessibility' ? [] : ['e2e/prove/accessibility*.prove.ts'],
    testTimeout: 5 * MINUTE,
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
          include: ['src/**/*.test.ts', 'tools/*.test.mjs', 'test/architecture.test.ts'],
          expect: { poll: { timeout: 10_000 } },
          maxWorkers: 2,
          testTimeout: 20_000,
        },
      },
      // What imports a component is a *.test.tsx: Node cannot run JSX.
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
