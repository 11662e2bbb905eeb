export type Industry = Readonly<{
  /** The stored ID: classification and code. */
  id: string
  classification: 'NAICS 2022' | 'NACE Rev. 2'
  code: string
  title: string
  /** Other search words. */
  words: string
}>

/** Industries of dealers and related businesses in both classifications: code, title, and search words after the bar. */
const NAICS = `
441110 New car dealers | franchise rooftop showroom automobile
441120 Used car dealers | pre-owned second hand automobile
441210 Recreational vehicle dealers | rv motorhome camper
441222 Boat dealers | marine
441227 Motorcycle, ATV and other motor vehicle dealers | powersports scooter
441330 Automotive parts and accessories retailers | spares
441340 Tire dealers | tyres
457110 Gasoline stations with convenience stores | fuel filling petrol
457120 Other gasoline stations | fuel filling petrol truck stop
423110 Automobile and other motor vehicle merchant wholesalers | auction importer
423120 Motor vehicle supplies and new parts merchant wholesalers | spares
423130 Tire and tube merchant wholesalers | tyres
423140 Motor vehicle parts (used) merchant wholesalers | salvage dismantler
811111 General automotive repair | workshop garage service
811114 Specialized automotive repair | transmission exhaust brake
811121 Automotive body, paint and interior repair | paint shop collision
811122 Automotive glass replacement shops | windscreen windshield
811191 Automotive oil change and lubrication shops | service
811192 Car washes | detailing valeting
811198 All other automotive repair and maintenance | inspection
532111 Passenger car rental | hire
532112 Passenger car leasing | fleet
532120 Truck, utility trailer and RV rental and leasing | hire
522220 Sales financing | credit captive finance
524210 Insurance agencies and brokerages | warranty
485310 Taxi and ridesharing services | mobility
488410 Motor vehicle towing | recovery
484121 General freight trucking, long-distance, truckload | transport haulage
493110 General warehousing and storage | depot compound
531120 Lessors of nonresidential buildings | property landlord
541613 Marketing consulting services | agency
551112 Offices of other holding companies | group parent
551114 Corporate, subsidiary and regional managing offices | headquarters group
811310 Commercial machinery and equipment repair | truck agricultural
336110 Automobile and light duty motor vehicle manufacturing | maker
336211 Motor vehicle body manufacturing | upfitter coachbuilder
44-45 Retail trade (sector)
42 Wholesale trade (sector)
48-49 Transportation and warehousing (sector)
52 Finance and insurance (sector)
53 Real estate and rental and leasing (sector)
55 Management of companies and enterprises (sector)
81 Other services, except public administration (sector)
31-33 Manufacturing (sector)`

const NACE = `
45.11 Sale of cars and light motor vehicles | dealer showroom automobile
45.19 Sale of other motor vehicles | truck bus camper caravan
45.20 Maintenance and repair of motor vehicles | workshop garage paint wash
45.31 Wholesale trade of motor vehicle parts and accessories | spares
45.32 Retail trade of motor vehicle parts and accessories | spares tyres
45.40 Sale, maintenance and repair of motorcycles and their parts | scooter
47.30 Retail sale of automotive fuel in specialised stores | petrol filling station
49.32 Taxi operation | mobility
49.41 Freight transport by road | haulage delivery
52.10 Warehousing and storage | depot compound
52.21 Service activities incidental to land transportation | towing parking charging
64.20 Activities of holding companies | group parent
64.91 Financial leasing | captive finance
65.12 Non-life insurance | warranty
66.22 Activities of insurance agents and brokers | warranty
68.20 Renting and operating of own or leased real estate | property landlord
70.10 Activities of head offices | headquarters group
73.11 Advertising agencies | marketing
77.11 Renting and leasing of cars and light motor vehicles | hire fleet
77.12 Renting and leasing of trucks | hire
29.10 Manufacture of motor vehicles | maker
29.20 Manufacture of bodies for motor vehicles | coachbuilder
35.11 Production of electricity | solar charging
C Manufacturing (section)
D Electricity, gas, steam and air conditioning supply (section)
G Wholesale and retail trade; repair of motor vehicles and motorcycles (section)
H Transportation and storage (section)
K Financial and insurance activities (section)
L Real estate activities (section)
M Professional, scientific and technical activities (section)
N Administrative and support service activities (section)`

function read(list: string, classification: Industry['classification']): Industry[] {
  return list
    .trim()
    .split('\n')
    .map((line) => {
      const [named = '', words = ''] = line.split(' | ')
      const [code = '', ...title] = named.split(' ')
      const id = `${classification.slice(0, 5).trim().toLowerCase()}-${code}`
      return { id, classification, code, title: title.join(' '), words }
    })
}

/** The industries a dealer group needs, those of the United States first. */
export const INDUSTRIES: readonly Industry[] = [...read(NAICS, 'NAICS 2022'), ...read(NACE, 'NACE Rev. 2')]

const byId = new Map(INDUSTRIES.map((industry) => [industry.id, industry]))

export function findIndustry(id: string): Industry | undefined {
  return byId.get(id)
}

/** Whether an industry has every word that was typed, in its code, its title or its other words. */
export function isIndustryLike({ classification, code, title, words }: Industry, typed: string): boolean {
  const text = `${classification} ${code} ${title} ${words}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
