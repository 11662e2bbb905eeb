import type { DemoCustomer } from '../demo-customer.ts'

/** Suspended: its users can't sign in, but its data still exists. */
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
  suspended: 'Contract ended on September 30. Data is kept until the end of the year.',
}
