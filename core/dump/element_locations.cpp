// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/element_locations.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/dump/element_decoder.h"
#include "core/dump/file_check.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace calibscope {

namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20U;

/// The file as it was when it was listed.
class ListedDescriptor
{
public:
    ListedDescriptor(const ElementFile& file, const std::string& who)
        : m_file(file), m_open(file.path), m_who(who)
    {
        if (!m_open.isOpen())
            throw Error(Fault::Input, who + "cannot be read: " + file.path + ": " +
                                          std::generic_category().message(errno));
        requireSame();
    }

    [[nodiscard]] int number() const { return m_open.number(); }

    void requireSame() const
    {
        if (stampOf(m_open.number()) != m_file.stamp)
            throw Error(Fault::Input, m_who + "cannot be read: the file was changed since it was "
                                              "opened; open it again");
    }

private:
    const ElementFile& m_file;
    OpenDescriptor m_open;
    const std::string& m_who;
};

/// One visit, in the order in which the elements lie or, of Fortran's, in slabs along axis 0.
class LocationVisit
{
public:
    LocationVisit(const LocatedElements& elements, const ListedDescriptor& file,
                  const std::function<void(std::span<const std::byte>)>& take)
        : m_elements(elements), m_location(elements.location), m_file(file), m_take(take)
    {
        if (m_location.member) {
            struct stat status
            {
            };
            (void)::fstat(file.number(), &status);
            m_stream = std::make_unique<ZipMemberStream>(file.number(),
                                                         static_cast<std::uint64_t>(status.st_size),
                                                         *m_location.member, elements.who);
            for (std::uint64_t left = m_location.begin; left > 0; left -= m_piece.size())
                next(std::min<std::uint64_t>(pieceBytes, left));
        }
    }

    void inOrder(std::uint64_t wantedBytes)
    {
        if (m_location.blocks)
            return decoded(wantedBytes);
        const std::uint64_t all = m_location.end - m_location.begin;
        const std::uint64_t read = m_stream ? all : std::min(all, wantedBytes);
        for (m_at = 0; m_at < read;) {
            next(std::min<std::uint64_t>(pieceBytes, read - m_at));
            m_take(m_piece);
        }
    }

    /// Blocks, as the float32 that they stand for.
    void decoded(std::uint64_t wantedBytes)
    {
        const GgmlBlocks& blocks = *m_location.blocks;
        const std::uint64_t all = (m_location.end - m_location.begin) / blocks.bytes;
        const std::uint64_t floats = blocks.values * sizeof(float);
        const std::uint64_t wanted = std::min(all, (wantedBytes + floats - 1) / floats);
        const std::uint64_t most = pieceBytes / floats;
        std::vector<float> values;
        m_at = 0;
        for (std::uint64_t done = 0; done < wanted; done += most) {
            next(std::min(most, wanted - done) * blocks.bytes);
            blocks.decodeAll(m_piece, values);
            m_take(std::as_bytes(std::span(values)));
        }
    }

    /// Rows of several axes, transposed: as many at a time as half the memory takes.
    void transposed(std::uint64_t wantedBytes)
    {
        std::vector<std::uint64_t> shape = m_elements.shape;
        std::erase(shape, std::uint64_t{1});
        const std::uint64_t all = m_location.end - m_location.begin;
        if (shape.size() < 2 || all == 0)
            return inOrder(wantedBytes);
        const std::uint64_t rows = shape.front();
        const std::uint64_t rowBytes = all / rows;
        const std::uint64_t most = std::min(rows, m_elements.memoryBytes / 2 / rowBytes);
        if (most == 0 || (m_stream && most < rows))
            throw Error(Fault::Input, m_elements.who + "its elements are in Fortran's order" +
                                          (m_stream ? " and packed" : "") +
                                          "; reading them takes " +
                                          numberText(m_stream ? all : rowBytes) +
                                          " bytes of memory, more than may be taken");
        for (std::uint64_t first = 0; first < rows && first * rowBytes < wantedBytes; first += most)
            takeRows(shape, first, std::min(most, rows - first), rowBytes);
    }

    /// Of a member what is behind its values, up to its checksum.
    void finish()
    {
        for (std::uint64_t left = m_stream ? m_location.member->bytes - m_location.end : 0;
             left > 0; left -= m_piece.size())
            next(std::min<std::uint64_t>(pieceBytes, left));
    }

private:
    /// Reads so many bytes behind those that were read.
    void next(std::uint64_t bytes)
    {
        m_piece.resize(bytes);
        if (m_stream)
            m_stream->read(m_piece);
        else
            readAt(m_file.number(), m_location.begin + m_at, m_piece, m_elements.who);
        m_at += bytes;
    }

    /// Of each run along axis 0 the rows from `first` on, put where they stand row by row.
    void takeRows(const std::vector<std::uint64_t>& shape, std::uint64_t first, std::uint64_t count,
                  std::uint64_t rowBytes)
    {
        const std::size_t size = m_elements.elementBytes;
        const bool areAll = count == shape.front();
        std::vector<std::byte> slab(count * rowBytes);
        std::vector<std::uint64_t> index(shape.size());  // of the run; the first entry stays 0
        std::span<const std::byte> left;
        if (areAll)
            m_at = 0;
        for (std::uint64_t run = 0; run < rowBytes / size; ++run) {
            if (!areAll) {
                m_at = (run * shape.front() + first) * size;
                next(count * size);
                left = m_piece;
            }
            std::uint64_t column = 0;
            for (std::size_t axis = 1; axis < shape.size(); ++axis)
                column = column * shape[axis] + index[axis];
            std::byte* to = slab.data() + column * size;
            for (std::uint64_t row = 0; row < count; ++row, to += rowBytes) {
                if (left.empty()) {
                    const std::uint64_t behind = m_location.end - m_location.begin - m_at;
                    next(std::min<std::uint64_t>(pieceBytes, behind));
                    left = m_piece;
                }
                std::memcpy(to, left.data(), size);
                left = left.subspan(size);
            }
            for (std::size_t axis = 1; axis < shape.size() && ++index[axis] == shape[axis]; ++axis)
                index[axis] = 0;
        }
        m_take(slab);
    }

    const LocatedElements& m_elements;
    const ElementLocation& m_location;
    const ListedDescriptor& m_file;
    const std::function<void(std::span<const std::byte>)>& m_take;
    std::unique_ptr<ZipMemberStream> m_stream;
    std::vector<std::byte> m_piece;
    std::uint64_t m_at = 0;  ///< of the bytes that come next, behind the location's first one
};

/// Reads boxes run by run: of an axis that is taken as a whole all indices lie behind each other.
class LocatedBoxes
{
public:
    LocatedBoxes(ElementFile file, ElementLocation location, std::string who,
                 const TensorInfo& info)
        : m_file(std::move(file)),
          m_location(std::move(location)),
          m_who(std::move(who)),
          m_shape(info.shape),
          m_type{.kind = info.elementType.value_or(ElementKind::Float32),
                 .isBigEndian = m_location.isBigEndian},
          m_decoder(m_type)
    {}

    std::span<const float> read(std::span<const ValueBox> boxes, const Progress& progress)
    {
        const ListedDescriptor file(m_file, m_who);
        m_values.clear();
        for (const ValueBox& box : boxes)
            readBox(file, box, progress);
        file.requireSame();
        return m_values;
    }

private:
    void readBox(const ListedDescriptor& file, const ValueBox& box, const Progress& progress)
    {
        std::size_t split = m_shape.size();  // axes from here on are one run
        std::uint64_t run = 1;
        while (split > 0) {
            --split;
            run *= box.count[split];
            if (box.count[split] != m_shape[split])
                break;
        }
        std::vector<std::uint64_t> index = box.start;
        for (std::uint64_t left = box.values() / run; left > 0; --left) {
            std::uint64_t first = 0;
            for (std::size_t axis = 0; axis < m_shape.size(); ++axis)
                first = first * m_shape[axis] + index[axis];
            readRun(file, first, run, progress);
            for (std::size_t axis = split; axis-- > 0;) {
                if (++index[axis] < box.start[axis] + box.count[axis])
                    break;
                index[axis] = box.start[axis];
            }
        }
    }

    void readRun(const ListedDescriptor& file, std::uint64_t first, std::uint64_t count,
                 const Progress& progress)
    {
        if (m_location.blocks)
            return readBlocks(file, first, count, progress);
        const std::size_t size = m_type.bytes();
        for (std::uint64_t read = 0; read < count;) {
            const std::uint64_t some = std::min<std::uint64_t>(pieceBytes / size, count - read);
            m_piece.resize(some * size);
            readAt(file.number(), m_location.begin + (first + read) * size, m_piece, m_who);
            const std::span<const float> values = m_decoder.decode(m_piece);
            m_values.insert(m_values.end(), values.begin(), values.end());
            read += some;
            progress.step(m_values.size(), m_values.size() + count - read, m_file.path);
        }
    }

    /// The run's part of the blocks in which it lies.
    void readBlocks(const ListedDescriptor& file, std::uint64_t first, std::uint64_t count,
                    const Progress& progress)
    {
        const GgmlBlocks& blocks = *m_location.blocks;
        const std::uint64_t most = pieceBytes / (blocks.values * sizeof(float));
        for (std::uint64_t end = first + count; first < end;) {
            const std::uint64_t block = first / blocks.values;
            const std::uint64_t behind =
                std::min(block + most, (end + blocks.values - 1) / blocks.values);
            m_piece.resize((behind - block) * blocks.bytes);
            readAt(file.number(), m_location.begin + block * blocks.bytes, m_piece, m_who);
            blocks.decodeAll(m_piece, m_decoded);
            const std::uint64_t last = std::min(end, behind * blocks.values);
            const auto run =
                std::span(m_decoded).subspan(first - block * blocks.values, last - first);
            m_values.insert(m_values.end(), run.begin(), run.end());
            first = last;
            progress.step(m_values.size(), m_values.size() + end - first, m_file.path);
        }
    }

    ElementFile m_file;
    ElementLocation m_location;
    std::string m_who;
    std::vector<std::uint64_t> m_shape;
    ElementType m_type;
    ElementDecoder m_decoder;
    std::vector<float> m_decoded;
    std::vector<std::byte> m_piece;
    std::vector<float> m_values;
};

}  // namespace

void readAt(int descriptor, std::uint64_t from, std::span<std::byte> bytes, const std::string& who)
{
    while (!bytes.empty()) {
        const ::ssize_t count =
            ::pread(descriptor, bytes.data(), bytes.size(), static_cast<::off_t>(from));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            throw Error(Fault::Input,
                        who + (count == 0 ? "its values end early; the file was changed or cut"
                                          : std::generic_category().message(errno)));
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        from += static_cast<std::uint64_t>(count);
    }
}

void LocatedElements::visit(std::uint64_t wantedBytes,
                            const std::function<void(std::span<const std::byte>)>& take) const
{
    const ListedDescriptor open(file, who);
    LocationVisit visit(*this, open, take);
    if (location.isFortran)
        visit.transposed(wantedBytes);
    else
        visit.inOrder(wantedBytes);
    visit.finish();
    open.requireSame();
}

ValueBoxes locatedBoxes(ElementFile file, ElementLocation location, std::string who,
                        const TensorInfo& info)
{
    ValueBoxes boxes{.info = info, .chunk = std::vector<std::uint64_t>(info.shape.size(), 1)};
    boxes.elementBytes =
        ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
    if (location.blocks)
        boxes.chunk.back() = location.blocks->values;
    const auto all =
        std::make_shared<LocatedBoxes>(std::move(file), std::move(location), std::move(who), info);
    boxes.read = [all](std::span<const ValueBox> asked, const Progress& progress) {
        return all->read(asked, progress);
    };
    return boxes;
}

}  // namespace calibscope
