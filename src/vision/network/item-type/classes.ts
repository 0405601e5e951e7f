/** The network's answers, in the order of its logits (Fashion-MNIST's labels). */
export const CLASSES = [
  'T-shirt/top',
  'Trouser',
  'Pullover',
  'Dress',
  'Coat',
  'Sandal',
  'Shirt',
  'Sneaker',
  'Bag',
  'Ankle boot',
] as const

export type GarmentClass = (typeof CLASSES)[number]

/** Places along each edge of the network's input. */
export const INPUT_SIZE = 28
