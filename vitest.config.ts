import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const MINUTE = 60_000

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'test/architecture.test.ts'],
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          globalSetup: 'test/engine/setup.ts',
          setupFiles: 'test/engine/away-from-the-hour.ts',
          // What is waited for comes at once, but on a machine that does something else as well.
          expect: { poll: { timeout: 15_000 } },
          maxWorkers: 2,
          testTimeout: MINUTE,
          hookTimeout: MINUTE,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'e2e/harness/setup.ts',
          // Two browsers, two products and their databases share the machine: a journey that met it at its busiest
          // gets a second try, and the report says so.
          maxWorkers: 2,
          retry: 1,
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 2 * MINUTE,
          hookTimeout: 2 * MINUTE,
        },
      },
      {
        extends: true,
        test: {
          name: 'prove',
          include: ['test/prove/**/*.prove.ts'],
          globalSetup: 'test/engine/setup.ts',
          maxWorkers: 1,
          testTimeout: 30 * MINUTE,
          hookTimeout: 5 * MINUTE,
        },
      },
    ],
  },
})
