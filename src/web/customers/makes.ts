/** Offered, not prescribed: any make may be typed. */
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
