package import Assembly
import Contracts

extension ShowAssembly.Slot {
    package static func detail(_ film: Int) -> ShowAssembly.Slot { ShowAssembly.Slot(film, .detail) }
    package static func poster(_ film: Int) -> ShowAssembly.Slot { ShowAssembly.Slot(film, .poster) }
}
