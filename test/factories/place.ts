import type { TestApp } from '#test/app.ts'
import type { Person } from '#test/factories/sign-in-later.ts'

/** Where a factory creates records, and the administrator who creates them. */
export type Place = Person & {
  forecourt: TestApp
  customerId: string
  organizationId: string
  /** The platform's super user, working in this organization. */
  staff: Person
  /** Runs an SQL statement that returns `id`, for what no user can create. */
  insert: (text: string, values: unknown[]) => Promise<string>
}
