import type { DemoCustomer } from '../demo-customer.ts'

/** Just created: its administrator is invited but hasn't signed in yet. */
export const summit: DemoCustomer = {
  name: 'Summit Auto Group',
  isPlatform: false,
  organizations: [{ name: 'Summit Subaru', timeZone: 'America/Denver', lots: [] }],
  people: [
    {
      userName: 'jonas.keller@summit.example',
      firstName: 'Jonas',
      lastName: 'Keller',
      email: 'jonas.keller@summit.example',
      userType: 'Customer administrator',
      organizations: ['Summit Subaru'],
      state: 'invited',
    },
  ],
}
