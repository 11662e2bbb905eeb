import type { NewLot } from '#contract/customers/lots.ts'

/** The password of every demo account. */
export const DEMO_PASSWORD = 'DemoForecourt7!'

type DemoPerson = {
  userName: string
  firstName: string
  lastName: string
  email: string
  userType: string
  isSuper?: boolean
  organizations: readonly string[]
}
export type DemoCustomer = {
  name: string
  isPlatform: boolean
  organizations: readonly { name: string; timeZone: string; lots: readonly NewLot[] }[]
  people: readonly DemoPerson[]
}

const sacramento = { region: 'CA', timeZone: 'America/Los_Angeles' }
const portland = { region: 'ME', timeZone: 'America/New_York' }

/** The people and places of the demo world. Nobody here is real; addresses and numbers are reserved for examples. */
export const DEMO_WORLD: readonly DemoCustomer[] = [
  {
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
        organizations: ['Forecourt Operations'],
      },
    ],
  },
  {
    name: 'Northgate Motor Group',
    isPlatform: false,
    organizations: [
      {
        name: 'Northgate Ford',
        timeZone: 'America/Los_Angeles',
        lots: [
          {
            ...sacramento,
            code: 'NGF',
            name: 'Northgate Ford',
            type: 'both',
            address: '5550 Auburn Blvd',
            city: 'Sacramento',
            postalCode: '95841',
            phone: '+1 916 555 0140',
            makes: ['Ford', 'Lincoln'],
          },
          {
            ...sacramento,
            code: 'NGP',
            name: 'Northgate Pre-Owned',
            type: 'used',
            address: '1 Harbor Ct',
            city: 'West Sacramento',
            postalCode: '95691',
            phone: '+1 916 555 0142',
          },
          {
            ...sacramento,
            code: 'NGS',
            name: 'Northgate Service',
            type: 'service',
            address: '5570 Auburn Blvd',
            city: 'Sacramento',
            postalCode: '95841',
            phone: '+1 916 555 0144',
            isPublic: false,
          },
        ],
      },
      {
        name: 'Northgate Toyota',
        timeZone: 'America/Los_Angeles',
        lots: [
          {
            ...sacramento,
            code: 'NGT',
            name: 'Northgate Toyota',
            type: 'both',
            address: '2100 Fulton Ave',
            city: 'Sacramento',
            postalCode: '95825',
            phone: '+1 916 555 0150',
            makes: ['Toyota'],
          },
          {
            ...sacramento,
            code: 'NGX',
            name: 'Fulton overflow',
            type: 'used',
            city: 'Sacramento',
            isPublic: false,
          },
        ],
      },
    ],
    people: [
      {
        userName: 'northgate.admin',
        firstName: 'Dana',
        lastName: 'Whitfield',
        email: 'dana.whitfield@northgate.example',
        userType: 'Customer administrator',
        organizations: ['Northgate Ford', 'Northgate Toyota'],
      },
      {
        userName: 'northgate.dealer',
        firstName: 'Luis',
        lastName: 'Ortega',
        email: 'luis.ortega@northgate.example',
        userType: 'Dealer user',
        organizations: ['Northgate Ford'],
      },
      {
        userName: 'northgate.sustain',
        firstName: 'Priya',
        lastName: 'Raman',
        email: 'priya.raman@northgate.example',
        userType: 'Sustainability manager',
        organizations: ['Northgate Ford', 'Northgate Toyota'],
      },
      {
        userName: 'northgate.auditor',
        firstName: 'Wei',
        lastName: 'Zhang',
        email: 'wei.zhang@northgate.example',
        userType: 'Auditor',
        organizations: ['Northgate Ford'],
      },
    ],
  },
  {
    name: 'Harbor Auto Collective',
    isPlatform: false,
    organizations: [
      {
        name: 'Harbor Honda',
        timeZone: 'America/New_York',
        lots: [
          {
            ...portland,
            code: 'HBH',
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
            code: 'HBS',
            name: 'Harbor Service Centre',
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
            code: 'HBP',
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
    people: [
      {
        userName: 'harbor.admin',
        firstName: 'Ana',
        lastName: 'Souza',
        email: 'ana.souza@harbor.example',
        userType: 'Customer administrator',
        organizations: ['Harbor Honda'],
      },
      {
        userName: 'harbor.dealer',
        firstName: 'Tom',
        lastName: 'Becker',
        email: 'tom.becker@harbor.example',
        userType: 'Dealer user',
        organizations: ['Harbor Pre-Owned'],
      },
    ],
  },
]
