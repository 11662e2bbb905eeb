import { HARBOR_PAGES } from './harbor-pages.ts'
import type { DemoCustomer } from '../demo-customer.ts'
import { SALES_HOURS, SERVICE_HOURS } from '../opening-hours.ts'

const portland = { region: 'ME', timeZone: 'America/New_York' }

/** A second dealer group, to show that customers are isolated from each other. */
export const harbor: DemoCustomer = {
  name: 'Harbor Auto Collective',
  isPlatform: false,
  organizations: [
    {
      name: 'Harbor Honda',
      timeZone: 'America/New_York',
      lots: [
        {
          ...portland,
          ...SALES_HOURS,
          code: 'HBH',
          dealerIds: ['ED-3310'],
          vehicles: 265,
          name: 'Harbor Honda',
          type: 'both',
          address: '410 Commercial St',
          city: 'Portland',
          postalCode: '04101',
          phone: '+1 207 555 0110',
          makes: ['Honda'],
        },
        {
          ...portland,
          ...SERVICE_HOURS,
          code: 'HBS',
          name: 'Harbor Service Center',
          type: 'service',
          address: '12 Marginal Way',
          city: 'Portland',
          postalCode: '04101',
          phone: '+1 207 555 0112',
        },
      ],
    },
    {
      name: 'Harbor Pre-Owned',
      timeZone: 'America/New_York',
      lots: [
        {
          ...portland,
          ...SALES_HOURS,
          code: 'HBP',
          dealerIds: ['ED-3311'],
          vehicles: 115,
          name: 'Harbor Pre-Owned',
          type: 'used',
          address: '88 Bayside Rd',
          city: 'South Portland',
          postalCode: '04106',
          phone: '+1 207 555 0118',
        },
      ],
    },
  ],
  providerMappings: [{ name: 'eDealer website', provider: 'edealer' }],
  feeds: [
    {
      name: 'eDealer nightly feed',
      kind: 'mail',
      senders: ['edealer.example'],
      mapping: 'eDealer website',
      shape: 'edealer',
      fileName: 'harbor-{day}.txt',
      lots: ['HBH', 'HBP'],
    },
  ],
  channels: [{ name: 'Website export', kind: 'csv', format: 'json', destination: 'pull', everyHours: 24 }],
  // Browsers resolve names under .localhost to the local machine, so these domains work wherever the demo runs.
  submissions: 80,
  domains: [
    {
      domain: 'office.harbor.localhost',
      title: 'Harbor Office',
      brand: '#1d5bb0',
      footer: '<p>Harbor Auto Collective, <a href="https://harbor.example">harbor.example</a></p>',
      logo: 'H',
    },
    {
      domain: 'harbor.localhost',
      title: 'Harbor Auto',
      purpose: 'public',
      brand: '#1d5bb0',
      footer: '<p>Harbor Auto Collective, South Portland</p>',
      logo: 'H',
    },
  ],
  details: {
    name: 'Harbor Auto Collective',
    timeZone: 'UTC',
    fees: [{ name: 'No dealer fees', class: 'document', cents: 0 }],
  },
  promoPages: HARBOR_PAGES,
  emailTemplates: [{ key: 'invitation', subject: 'Welcome aboard, {{ firstName }}' }],
  people: [
    {
      userName: 'harbor.admin',
      isAnnounced: true,
      jobTitle: 'General manager',
      phone: '+1 207 555 0101',
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana.souza@harbor.example',
      userType: 'Customer administrator',
      organizations: ['Harbor Honda'],
    },
    {
      userName: 'harbor.dealer',
      isAnnounced: true,
      jobTitle: 'Used car manager',
      firstName: 'Tom',
      lastName: 'Becker',
      email: 'tom.becker@harbor.example',
      userType: 'Dealer user',
      organizations: ['Harbor Pre-Owned'],
    },
  ],
}
