// What is said aloud instead of what stands in a line, for the page and the terminal, whose
// `sunglare_client/text/aloud.py` reads it: JSON behind `export default`.
export default {
  "compass": {
    "N": "north", "NE": "north-east", "E": "east", "SE": "south-east",
    "S": "south", "SW": "south-west", "W": "west", "NW": "north-west"
  },
  "ratings": {"V": "visual", "I": "infrared", "R": "radar", "N": "neutrino", "M": "mass"},
  "chat": "^\\[chat\\] (\\S+(?: \\(.*?\\))?): (.*)",
  "facing": "(^|  |\\) )(facing )(NE|SE|SW|NW|N|E|S|W)\\b",
  "said": [
    ["^(?:\\* |-- )", ""],
    ["^> ", "you typed "],
    ["^(E-[A-Z]+) +", "error $1: "],
    ["\\b[0-9a-f]{32,}\\b", "a long number"],
    ["\\be\\.g\\. ", "for example "],
    ["(?<![\\w/.])(\\d+)/(\\d+)(?![\\w/])", "$1 of $2"],
    ["(?<![\\w.])(\\d+),(\\d+) ([A-H][1-9])\\b", "square $1 $2 in box $3"],
    ["(?<=[\\w)]) -> ", " to "],
    ["-> ?", "result "],
    [" \\| ", ", "],
    ["\\b(T\\d+):(?=[a-z])", "turret $1 "],
    ["\\b([A-Z]\\d+ [a-z]+(?: [a-z]+)?)(\\d+)\\b", "$1 $2"],
    [" +\\(", " ("]
  ],
  "vector": "\\bv\\(([^,()]+),([^,()]+)\\)",
  "shouted": "(?<!E-)\\b(?!AECM|LECM|LPRB|LTAG)[A-Z]{4,}\\b",
  "sensors": "([VIRNM])(\\d+)",
  "list": " V\\d+ I\\d+ R\\d+ N\\d+ M\\d+",
  "gap": "(?<=[^,;:.?! ]) {2,}",
  "ends": ".!?:"
}
