import type { DemoCustomer } from '../demo-customer.ts'

/** Suspended: nobody of it may come in, and everything it had is still there. */
export const lakeside: DemoCustomer = {
  name: 'Lakeside Motors',
  isPlatform: false,
  organizations: [{ name: 'Lakeside Chevrolet', timeZone: 'America/Chicago', lots: [] }],
  people: [
    {
      userName: 'lakeside.admin',
      firstName: 'Ruth',
      lastName: 'Abara',
      email: 'ruth.abara@lakeside.example',
      userType: 'Customer administrator',
      organizations: ['Lakeside Chevrolet'],
    },
  ],
  suspended: 'Contract ended on 30 September, data kept until the year is over.',
}
