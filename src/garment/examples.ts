import type { GarmentResult } from './fields.ts'

/** Examples for the description of the API. */
export const completeGarment: GarmentResult = {
  uuid: '12345',
  annotated_img:
    'https://tagging.example/garment-tagging/annotated/01890a5d-ac96-774b-bcce-b302099a8058/01890a5d-ac96-774b-bcce-b302099a805a',
  tag: {
    Brand: 'Ann',
    Category: 'Clothing',
    Gender: "Men's",
    Material: 'Cotton',
    'Item Type': 'T-Shirt',
    'Item Type Alternatives': ['Long-Sleeve T-Shirt'],
    'Item Type Confidence': 'High',
    Colour: 'Navy',
    'Colour Alternatives': ['Blue', 'Black'],
    'Colour Confidence': 'Medium',
    Pattern: 'Plain',
    'Pattern Alternatives': [],
    'Pattern Confidence': 'High',
    Sleeve: 'Short',
    'Sleeve Alternatives': [],
    'Sleeve Confidence': 'High',
    Fit: 'Regular',
    'Fit Alternatives': ['Slim'],
    'Fit Confidence': 'Medium',
    Closure: 'Pullover',
    'Closure Alternatives': [],
    'Closure Confidence': 'High',
    'Fabric Type': 'Jersey',
    'Fabric Type Alternatives': ['Linen'],
    'Fabric Type Confidence': 'Medium',
    'Colour Hex': '#1f294c',
  },
  measurements: { 'Chest (cm)': 52, 'Body Length (cm)': 70.5, 'Shoulder (cm)': 45, 'Sleeve Length (cm)': 21 },
  description: 'A T-shirt in navy. It has a regular fit, no fastening and the look of jersey.',
  complete: true,
  status: 'complete',
  failure_reason: '',
}

export const garmentNotFound = { 404: [['Garment not found', 'uuid: no garment was uploaded with this uuid']] } as const
