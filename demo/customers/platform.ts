import type { DemoCustomer } from '../demo-customer.ts'

/** The platform's own customer. */
export const platform: DemoCustomer = {
  name: 'Forecourt Platform',
  isPlatform: true,
  organizations: [{ name: 'Forecourt Operations', timeZone: 'UTC', lots: [] }],
  people: [
    {
      userName: 'super',
      firstName: 'Robin',
      lastName: 'Hale',
      email: 'robin.hale@forecourt.example',
      userType: 'Super user',
      isSuper: true,
      isAnnounced: true,
      jobTitle: 'Operations',
      organizations: ['Forecourt Operations'],
    },
    {
      userName: 'support',
      firstName: 'Jo',
      lastName: 'Brandt',
      email: 'jo.brandt@forecourt.example',
      userType: 'Support agent',
      jobTitle: 'Support',
      organizations: ['Forecourt Operations'],
    },
  ],
}
