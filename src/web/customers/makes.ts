/** Suggestions: any make can be entered. */
export const MAKES = [
  'BMW',
  'Chevrolet',
  'Ford',
  'Honda',
  'Hyundai',
  'Jeep',
  'Kia',
  'Mercedes-Benz',
  'Nissan',
  'Toyota',
]
