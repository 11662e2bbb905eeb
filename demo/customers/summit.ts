import type { DemoCustomer } from '../demo-customer.ts'

/** Founded a moment ago: its administrator has the invitation and has not come yet. */
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
